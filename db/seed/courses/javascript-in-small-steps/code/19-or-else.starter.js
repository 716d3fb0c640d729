const temperature = 10;
if (temperature > 25) {
  console.log('Warm');
} else {

}
