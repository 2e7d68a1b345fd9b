"""URLs of the staff pages, and of deleting your own account."""

from django.urls import path, re_path

from league.moderation.views import staff, subject

app_name = "moderation"
_SUBJECT = r"staff/(?P<kind>users|bots|versions)/(?P<pk>[0-9]{1,18})"
urlpatterns = [
    path("me/delete/", subject.leave, name="leave"),
    path("staff/", staff.staff, name="staff"),
    path("staff/unbench/<int:pk>/", staff.unbench, name="unbench"),
    path("staff/check/<int:pk>/", staff.check_again, name="check-again"),
    path("staff/verify/<str:game>/", staff.verify, name="verify"),
    re_path(rf"^{_SUBJECT}/$", subject.subject, name="subject"),
    re_path(rf"^{_SUBJECT}/(?P<what>[a-z]+)/$", subject.act, name="act"),
]
