function hasTea(list) {
  return list.includes('tea');
}
console.log(hasTea(['milk', 'tea']));
