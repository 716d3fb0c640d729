def stay(nights, breakfasts=0, reduction=0):
    return nights * 80 + 30 + breakfasts * 5 - reduction


print(stay(2, 0, 20))
