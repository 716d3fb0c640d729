from dataclasses import dataclass, field


@dataclass
class Plant:
    name: str
    every: int
    log: list = field(default_factory=list)

    def water(self, day):
        self.log.append(day)

    def is_thirsty(self, day):
        if not self.log:
            return True
        return day - self.log[-1] >= self.every


def thirsty(plants, day):
    return [plant.name for plant in plants if plant.is_thirsty(day)]


print(Plant("Fern", 3))
