interface User {
  name: string;
  age: number;
}

function change(user: User, changes: User): User {
  user.name = changes.name;
  return user;
}

console.log(change({ name: 'Ada', age: 36 }, { name: 'Grace', age: 36 }));
