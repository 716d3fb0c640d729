const sunny = true;
const warm = false;
if (sunny && warm) {
  console.log('Swim');
} else {
  console.log('Read');
}
