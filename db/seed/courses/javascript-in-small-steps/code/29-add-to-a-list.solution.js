function addMilk(list) {
  list.push('milk');
  return list;
}
console.log(addMilk(['tea']));
