def count_words(text):
    counts = {}
    for word in text.split():
        counts[word] = 1
    return counts


def by_first_letter(names):
    return {}


print(count_words("Tea milk tea"))
