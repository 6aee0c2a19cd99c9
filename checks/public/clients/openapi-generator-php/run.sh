# openapi-generator, PHP with Debian's Guzzle.
set -euo pipefail
. "$HERE/../openapi-generator.sh"
eval "$LINE"
php -d zend.assertions=1 "$HERE/calls.php"
