def warm_days(temperatures, limit):
    count = 0
    for temperature in temperatures:
        if temperature > limit:
            count += 1
    return count


def average(temperatures):
    if not temperatures:
        return None
    return sum(temperatures) / len(temperatures)


print(warm_days([18, 21, 25, 19], 20))
