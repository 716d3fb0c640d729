def stay(nights, breakfasts, reduction):
    print(nights * 80)


print(stay(2, 0, 20))
