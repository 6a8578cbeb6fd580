drop table exceptions;
