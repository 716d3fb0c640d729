function birthday(person) {

  return person.age;
}
console.log(birthday({ age: 29 }));
