#!/usr/bin/env bash
# Grows weights from nothing at a small size and shows that they beat material alone:
#
#     tests/from_nothing.sh [SET] [BUDGET]
#
# The commands are those README's "Learnt evaluations" names for the shipped weights, with a twentieth of their time.
# Takes the budget (3m if not given) and about a minute more; fails unless the weights score more than 60 % of 200 games.
set -euo pipefail
cd "$(dirname "$0")/.."
set_name=${1:-russian}
budget=${2:-3m}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cargo build --release --quiet
warcab=target/release/warcab

"$warcab" --variant "$set_name" generations --eval material --budget "$budget" --dir "$folder"
"$warcab" match --variant "$set_name" --engine "name=learnt cmd=self option.EvalFile=$folder/best.bin" \
    --engine "name=material cmd=self option.EvalFile=material" --each "nodes=5000" --games 200 \
    --json "$folder/match.json" --concurrency "$(nproc)"
points=$(sed -n 's/.*"points": *\([0-9.]*\).*/\1/p' "$folder/match.json" | head -n 1)
echo "$set_name: the learnt weights took $points of 200 points"
awk -v points="$points" 'BEGIN { exit !(points > 120) }'
