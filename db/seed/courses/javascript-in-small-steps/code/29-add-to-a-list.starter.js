function addMilk(list) {

  return list;
}
console.log(addMilk(['tea']));
