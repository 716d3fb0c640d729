function seven() {
  return 7;
}
console.log(seven());
