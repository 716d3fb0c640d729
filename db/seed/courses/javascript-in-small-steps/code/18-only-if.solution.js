const day = 'Sunday';
if (day === 'Sunday') {
  console.log('No work');
}
