console.log('Good morning!');
