const sunny = true;
const warm = false;
if (sunny) {
  console.log('Swim');
} else {
  console.log('Read');
}
