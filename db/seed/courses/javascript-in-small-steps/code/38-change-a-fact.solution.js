function birthday(person) {
  person.age += 1;
  return person.age;
}
console.log(birthday({ age: 29 }));
