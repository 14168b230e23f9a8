"""status.py WANTED COMMAND...: does COMMAND end with that status?"""
import subprocess
import sys

done = subprocess.run(sys.argv[2:], stderr=subprocess.PIPE, text=True)
if done.returncode != int(sys.argv[1]):
    sys.exit("status %d, wanted %s\n%s" %
             (done.returncode, sys.argv[1], done.stderr))
