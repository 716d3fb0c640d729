def clean(addresses):
    return [address.strip().lower() for address in addresses if address.strip()]


def squares(numbers):
    return {number: number**2 for number in numbers if number % 2 == 0}


def absent(members, present):
    return sorted(set(members) - set(present))


print(clean([" Ada@example.com", "", "grace@Example.com "]))
