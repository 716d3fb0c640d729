interface Plant {
  name: string;
  height?: number;
}

function label(plant: Plant): string {
  return plant.height === undefined ? plant.name : `${plant.name}, ${plant.height} cm`;
}

console.log(label({ name: 'Fern', height: 40 }));
