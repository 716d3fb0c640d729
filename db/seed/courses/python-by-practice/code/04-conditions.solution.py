def ticket(age, student=False, day="Tuesday"):
    if age < 0:
        return None
    if day == "Monday" or age < 6:
        return 0
    if age <= 17:
        return 6
    if student:
        return 8
    if age >= 65:
        return 9
    return 14


print(ticket(17))
