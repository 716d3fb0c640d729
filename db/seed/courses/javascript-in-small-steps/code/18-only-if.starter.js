const day = 'Sunday';
if (false) {
  console.log('No work');
}
