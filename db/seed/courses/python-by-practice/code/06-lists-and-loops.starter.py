def podium(scores):
    scores.sort()
    return scores[0:3]


def rising_days(prices):
    return len(prices)


print(podium([7, 3, 8, 5]))
