function total(tickets: number, drinks: number): number {
  return tickets * 9 + drinks * 3;
}

console.log(total(2, 1));
