def podium(scores):
    return sorted(scores, reverse=True)[:3]


def rising_days(prices):
    days = 0
    for place, price in enumerate(prices):
        if place > 0 and price > prices[place - 1]:
            days += 1
    return days


print(podium([7, 3, 8, 5]))
