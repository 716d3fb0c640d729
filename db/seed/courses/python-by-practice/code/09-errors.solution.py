def to_minutes(text):
    hours, minutes = (int(part) for part in text.split(":"))
    if hours < 0 or not 0 <= minutes <= 59:
        raise ValueError(f"not a duration: {text!r}")
    return hours * 60 + minutes


def total(texts):
    minutes = 0
    bad = []
    for text in texts:
        try:
            minutes += to_minutes(text)
        except ValueError:
            bad.append(text)
    return (minutes, bad)


print(total(["1:30", "soon", "0:35"]))
