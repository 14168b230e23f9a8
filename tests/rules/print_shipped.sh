# print_shipped.sh RULESC ROOT FOLDER: print each shipped target in normal
# form, print that again, compare, and check what was printed.
set -e
rulesc=$1 root=$2 folder=$3
mkdir -p "$folder"
for file in "$root"/rules/*.rules; do
  name=$(basename "$file" .rules)
  "$rulesc" --print "$file" > "$folder/$name.1.rules"
  "$rulesc" --print "$folder/$name.1.rules" > "$folder/$name.2.rules"
  cmp "$folder/$name.1.rules" "$folder/$name.2.rules"
  "$rulesc" --check "$folder/$name.1.rules"
  count=$(grep -c '^expect' "$folder/$name.1.rules")
  test "$count" = "$(grep -c '^expect' "$file")"
  echo "$name: same text, $count expect lines hold"
done
