def to_minutes(text):
    hours, minutes = text.split(":")
    return int(hours) + int(minutes)


def total(texts):
    return (0, [])


print(total(["1:30", "soon", "0:35"]))
