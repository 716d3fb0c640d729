console.log('Tea');
