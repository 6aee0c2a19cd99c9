# Compiles a TypeScript client together with its calls, and makes them. Arguments are further options of the compiler.
set -euo pipefail
cp "$HERE"/*.ts "$OUT"
echo '{}' > "$OUT/package.json"
ln -s "$MODULES" "$OUT/node_modules"
cd "$OUT"
tsc --strict --noUncheckedIndexedAccess --target es2024 --lib es2024,dom --module nodenext --outDir js \
  --typeRoots "$MODULES/../../../node_modules/@types" --types node "$@" ./*.ts
node js/calls.js
