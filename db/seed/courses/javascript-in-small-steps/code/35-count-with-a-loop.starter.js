for (let i = 1; i < 3; i += 1) {
  console.log(i);
}
