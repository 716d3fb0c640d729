def warm_days(temperatures, limit):
    count = 0
    # Go through the temperatures and count.
    return count


def average(temperatures):
    return 0


print(warm_days([18, 21, 25, 19], 20))
