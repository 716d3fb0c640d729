console.log(365);
