"""Values of ppi-python for `cases/stats/prediction_powered.json`.

    python3 -m venv env && env/bin/pip install ppi-python==0.2.3
    env/bin/python scripts/ppi_reference.py > cases/stats/prediction_powered.json
"""
import json

import numpy as np
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

LEVELS = (0.95, 0.9)


def draws():
    """Judges of several kinds: good, weak, inverted, on another scale, constant, yes or no."""
    rng = np.random.default_rng(20261118)
    for name, count, more in (("good", 12, 30), ("weak", 20, 25), ("inverted", 10, 20), ("hundred", 15, 40), ("yes_no", 25, 60), ("few_items", 40, 5)):
        labels = np.clip(np.round(rng.normal(6.5, 2, count + more)), 1, 10)
        noise = rng.normal(0, 1, count + more)
        judge = {
            "good": labels + 0.8 + noise,
            "weak": 0.2 * labels + 3 * noise,
            "inverted": 11 - labels + noise,
            "hundred": 10 * labels + 5 * noise,
            "yes_no": None,
            "few_items": labels + noise,
        }[name]
        if name == "yes_no":
            labels = (labels >= 7).astype(float)
            judge = np.where(rng.random(count + more) < 0.8, labels, 1 - labels)
        yield name, labels[:count], np.round(judge, 3)[:count], np.round(judge, 3)[count:]


def main():
    cases = []
    for name, labels, judged, others in draws():
        intervals = {str(level): [float(end[0]) for end in ppi_mean_ci(labels, judged, others, alpha=1 - level)] for level in LEVELS}
        estimate = float(ppi_mean_pointestimate(labels, judged, others)[0])
        cases.append({"name": name, "labels": labels.tolist(), "judged": judged.tolist(), "others": others.tolist(), "estimate": estimate, "intervals": intervals})
    print(json.dumps(cases, indent=1))


main()
