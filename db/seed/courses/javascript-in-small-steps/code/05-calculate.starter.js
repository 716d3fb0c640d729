console.log('7 + 5');
