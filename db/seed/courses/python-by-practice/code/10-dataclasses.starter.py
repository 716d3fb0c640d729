from dataclasses import dataclass, field


@dataclass
class Plant:
    name: str
    every: int

    def water(self, day):
        pass

    def is_thirsty(self, day):
        return True


def thirsty(plants, day):
    return []


print(Plant("Fern", 3))
