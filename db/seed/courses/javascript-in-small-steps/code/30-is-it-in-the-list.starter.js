function hasTea(list) {
  return false;
}
console.log(hasTea(['milk', 'tea']));
