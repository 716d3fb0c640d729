console.log('Hello, ...');
