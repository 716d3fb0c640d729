function total(tickets: any, drinks: any) {
  return tickets * 9 + drinks;
}

console.log(total(2, 1));
