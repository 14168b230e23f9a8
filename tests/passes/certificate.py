"""Is a report's certificate consistent?  usage: certificate.py REPORT WHAT"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    f = json.load(file)["functions"][0]
if sys.argv[2] == "fits":
    assert f["fits"] and not f["proved_infeasible"], f
    assert f["lower_bound_bytes"] <= f["peak_after_bytes"], f
    total = f["base_cost_ns"] + f["extra_cost_ns"]
    assert f["base_cost_ns"] <= f["lower_bound_cost_ns"] <= total, f
else:
    assert not f["fits"] and f["proved_infeasible"], f
    assert f["budget_bytes"] < f["lower_bound_bytes"], f
