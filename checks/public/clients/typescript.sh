# What the generators for TypeScript share: their packages, and a compiler for the client and its calls.
echo '{}' >package.json
ln -s "$MODULES" node_modules
# What is not in the lock file is not used.
export npm_config_offline=true

# Arguments are further options of the compiler.
compile() {
  cp "$HERE"/*.ts .
  tsc --strict --noUncheckedIndexedAccess --target es2024 --lib es2024,dom --module nodenext --outDir js \
    --typeRoots "$MODULES/../../../node_modules/@types" --types node "$@" ./*.ts
}
