for (let i = 1; i < 6; i += 1) {
  console.log(i);
}
