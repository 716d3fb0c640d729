function label(plant: any): string {
  return `${plant.name}, ${plant.height} cm`;
}

console.log(label({ name: 'Fern', height: 40 }));
