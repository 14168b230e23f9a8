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
elif sys.argv[2] == "bound":
    # in units of the cheapest op: one ns for each of 262144 elements
    units = (f["lower_bound_cost_ns"] - f["base_cost_ns"]) / 262144
    assert units == int(sys.argv[3]), f
    assert units * 262144 <= f["extra_cost_ns"], f
elif sys.argv[2] == "temp":
    assert not f["fits"] and f["proved_infeasible"], f
    assert f["budget_bytes"] < f["lower_bound_temp_bytes"] == 8 << 20, f
    assert f["lower_bound_temp_bytes"] <= f["peak_after_temp_bytes"], f
else:
    assert not f["fits"] and f["proved_infeasible"], f
    assert f["budget_bytes"] < f["lower_bound_bytes"], f
