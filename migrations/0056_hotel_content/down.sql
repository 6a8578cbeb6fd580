drop table hotel_content_pages;
drop table hotel_content;
