def ticket(age, student=False, day="Tuesday"):
    if age < 17:
        return 6
    return 14


print(ticket(17))
