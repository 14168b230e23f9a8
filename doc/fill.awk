# Fill a manual page with what the driver says of itself: "@HELP TOPIC@" alone
# on a line becomes the output of `remat --help=TOPIC`.
/^@HELP.*@$/ {
  topic = substr($0, 7, length($0) - 7)
  command = remat " --help" (topic ? "=" topic : "")
  while ((command | getline line) > 0) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    print (line ~ /^[.']/ ? "\\&" : "") line
  }
  close(command)
  next
}
{ print }
