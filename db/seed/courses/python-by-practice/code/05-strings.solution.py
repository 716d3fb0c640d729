def initials(name):
    letters = ""
    for part in name.split():
        letters += part[0].upper() + "."
    return letters


def is_palindrome(text):
    letters = text.replace(" ", "").lower()
    return letters == letters[::-1]


print(initials("ada lovelace"))
