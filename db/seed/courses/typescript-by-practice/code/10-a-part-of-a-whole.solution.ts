interface User {
  name: string;
  age: number;
}

function change(user: User, changes: Partial<User>): User {
  return { ...user, ...changes };
}

console.log(change({ name: 'Ada', age: 36 }, { name: 'Grace', age: 36 }));
